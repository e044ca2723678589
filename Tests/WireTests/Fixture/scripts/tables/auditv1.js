// Nobody writes here but scripts.
function read(query, user, request) {
    query.orderBy('action', 'row').select('action', 'row', 'text');
    request.execute();
}
