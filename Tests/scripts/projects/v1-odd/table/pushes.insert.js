function insert(item, user, request) {
    var both = { success: function (r) { request.respond(200, r); }, error: function (e) { request.respond(502, e.message); } };
    switch (item.how) {
        case 'gcm': return push.gcm.send('device', { data: { text: 'x' } }, both);
        case 'apns': return push.apns.send('device', { alert: 'x', success: both.success });
        case 'wns': return push.wns.sendToastText01('https://x', { text1: 'x' }, both);
        case 'mpns': return request.service.push.mpns.sendFlipTile('https://x', { title: 'x' }, both);
        case 'hub': return push.send('tag', '{"a":1}', both);
        case 'node': return push.gcm.send(null, 'x', function (err, r) { request.respond(200, r); });
    }
}
