// A device has one channel: a second registration changes the first one.
function insert(item, user, request) {
    var channels = tables.getTable('channel');
    channels.where({ device: item.device }).read({
        success: function (known) {
            if (known.length === 0) return request.execute();
            if (known[0].uri === item.uri) return request.respond(statusCodes.OK, known[0]);
            known[0].uri = item.uri;
            channels.update(known[0], {
                success: function () { request.respond(statusCodes.OK, known[0]); }
            });
        }
    });
}
