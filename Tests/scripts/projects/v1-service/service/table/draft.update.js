// The client wins: the change is made again on the row as it stands now.
function update(item, user, request) {
    request.execute({
        conflict: function () {
            console.warn('a draft was written over: ' + item.id);
            request.execute();
        }
    });
}
