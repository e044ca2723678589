// Devices are told once the row is there, and the answer doesn't wait for it.
function insert(item, user, request) {
    request.execute({
        success: function () {
            request.respond();
            push.gcm.send(null, { data: { message: item.text } }, {
                success: function (response) { console.log('told', response); },
                error: function (error) { console.error('not told', error); }
            });
            push.wns.sendToastText01('https://example.com/channel', { text1: item.text }, {
                success: function (response) { console.log('told', response); }
            });
        },
        error: function (error) {
            console.error(error);
            request.respond(500, 'It could not be kept');
        }
    });
}
