// Where two have changed a row, the last one wins.
function update(item, user, request) {
    request.execute({
        conflict: function (serverItem) {
            request.execute();
        }
    });
}
