// What a statement gives is shaped by its own function; several statements give several lists.
exports.get = async (req, res) => {
    const { data } = req.azureMobile;
    await req.azureMobile.tables('narrowing').insert({ id: 'q1', value: 2 });
    await req.azureMobile.tables('narrowing').insert({ id: 'q2', value: 5 });
    const told = [];
    for (const statement of [
        { sql: 'SELECT value FROM narrowing', transform: (rows) => ({ sum: rows.reduce((sum, row) => sum + row.value, 0) }) },
        { sql: 'SELECT id FROM narrowing ORDER BY id; UPDATE narrowing SET value = value + 1; SELECT value FROM narrowing ORDER BY id',
            multiple: true },
        { sql: 'SELECT id FROM narrowing ORDER BY id; SELECT value FROM narrowing ORDER BY id', multiple: true,
            transform: (lists) => lists.map((rows) => rows.length) },
        { sql: 'SELECT id FROM narrowing WHERE value > @least', parameters: [{ name: 'least', value: 5 }] },
        { sql: 'SELECT id FROM narrowing', transforms: () => null }, { sql: 'SELECT id FROM narrowing', transform: 'no function' },
        { sql: 'SELECT id FROM narrowing', parameters: [{ named: 'least' }] }, { parameters: [] }, 5,
    ]) {
        told.push(await data.execute(statement).catch((error) => error.message));
    }
    told.push(await data.execute({ sql: 'SELECT id FROM narrowing' }, { userId: 'me' }).catch((error) => error.message));
    res.json(told);
};
