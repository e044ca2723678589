// A device that is known already is answered with what is known of it.
function insert(item, user, request) {
    tables.current.where({ uri: item.uri }).read({
        success: function (known) {
            if (known.length > 0) {
                request.respond(statusCodes.OK, known[0]);
            } else {
                request.execute();
            }
        }
    });
}
