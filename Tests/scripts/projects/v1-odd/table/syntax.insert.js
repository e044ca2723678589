function insert(item, user, request) {
    request.execute(;
}
