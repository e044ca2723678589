// Dates of clients are dates to scripts.
function insert(item, user, request) {
    if (!(item.due instanceof Date)) return request.respond(400, 'due is no date');
    item.weekday = item.due.getUTCDay();
    item.due = new Date(item.due.getTime() + 24 * 3600 * 1000);
    request.execute();
}
