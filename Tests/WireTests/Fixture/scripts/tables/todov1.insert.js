// The quick start's: who made it, and when.
function insert(item, user, request) {
    item.userId = user.userId;
    item.made = new Date(Date.UTC(2014, 4, 1));
    request.execute();
}
