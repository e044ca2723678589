// Whoever is logged in owns what is made, whatever the client says about it.
function insert(item, user, request) {
    item.userId = user.userId;
    item.createdAt = new Date();
    if (item.complete === undefined) item.complete = false;
    request.execute();
}
