// What tables are asked for, and what they say.
function insert(item, user, request) {
    var other = tables.getTable('other');
    var said = [];
    function next(word) {
        said.push(word);
        var step = steps.shift();
        if (step) step(); else request.respond(200, said);
    }
    function say(word) {
        return { success: function (result) { next(word + ':' + JSON.stringify(result)); },
            error: function (error) { next(word + '!' + (error.notFound || error.concurrency || false)); } };
    }
    var row = { id: 'a', text: 'tea', at: new Date(0) };
    var steps = [
        function () { other.insert(row, { success: function (made) { next(made === row && row.__version === undefined); } }); },
        function () { row.text = 'more'; other.update(row, say('update')); },
        function () { other.lookup('a', { success: function (r) { next(r.text + (r.at instanceof Date)); } }); },
        function () { other.lookup('zz', say('lookup')); },
        function () { other.read(other.where({ text: 'more' }), { success: function (r) { next(r.length); } }); },
        function () { other.select('text').read({ success: function (r) { next(r.length); } }); },
        function () { other.read({ systemProperties: '*', success: function (r) { next(typeof r[0].__version); } }); },
        function () {
            other.update({ id: 'a', __version: 'old', text: 'late' }, { conflict: function (r) { next('conflict ' + r.text); } });
        },
        function () { other.del({ id: 'a' }, say('del')); },
        function () { other.del('a', say('again')); },
        function () { try { other.update({ text: 'x' }); } catch (error) { next(/has no id/.test(error.message)); } },
        function () { try { other.insert('x'); } catch (error) { next(/takes an object/.test(error.message)); } }
    ];
    next('begin');
}
