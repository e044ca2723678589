// The answer goes first; the devices are told three seconds later.
function insert(item, user, request) {
    request.execute({
        success: function () {
            request.respond();
            setTimeout(tell, 3000);
        }
    });

    function tell() {
        push.gcm.send(item.channel, item.text, {
            success: function (response) { console.log('told', response); },
            error: function (error) { console.error('not told', error); }
        });
    }
}
