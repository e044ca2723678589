function read(query, user, request) {
    query.where({ userId: user.userId });
    request.execute();
}
