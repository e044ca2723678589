// What is read is changed before it is answered.
function read(query, user, request) {
    request.execute({
        success: function (results) {
            results.forEach(function (row) {
                row.shout = row.text.toUpperCase();
                delete row.secret;
            });
            request.respond();
        }
    });
}

function insert(item, user, request) {
    item.secret = 's' + item.text.length;
    request.execute({
        success: function () {
            item.welcome = 'Hello ' + item.text;
            request.respond(statusCodes.CREATED, item);
        }
    });
}
