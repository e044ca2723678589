function del(id, user, request) {
    if (id === 'unheard') return tables.getTable('other').del('missing');
    if (id === 'sql') return mssql.query('SELECT nonsense');
    if (id === 'push') return push.gcm.send('x', 'y', { success: function () { null.x; } });
    if (id === 'open') return mssql.open({ success: function (connection) { connection.nothing(); } });
    if (id === 'twice') { request.execute(); request.execute(); return; }
    if (id === 'status') return request.respond('gone');
    if (id === 'identities') return user.getIdentities({ success: function () { null.x; } });
    if (id === 'text') throw 'a text';
    if (id === 'nothing') throw undefined;
    request.execute({ success: function () { throw new Error('behind execute'); } });
}
