var http = require('http');

function poll() {
    http.get(process.env.FEED || 'http://127.0.0.1:9/', function (response) {
        var text = '';
        response.on('data', function (chunk) { text += chunk; });
        response.on('end', function () {
            setTimeout(function () {
                tables.getTable('feed').insert({ text: text });
            }, 200);
        });
    }).on('error', function (error) { console.error('no feed: ' + error.message); });
}
