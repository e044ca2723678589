// What goes wrong is written to the log, and answered as ever.
function insert(item, user, request) {
    request.execute({
        error: function (error) {
            console.error('an insert failed', error);
            request.respond();
        }
    });
}

function update(item, user, request) {
    request.execute({
        success: function () { request.respond(); },
        error: function (error) { request.respond(error); }
    });
}
