// A text has to be there, and not too long: said by the response, and by an error.
const table = require('azure-mobile-apps').table();

table.columns = { text: 'string', rating: 'number' };

table.insert((context) => {
    if (!context.item.text) {
        context.res.status(400).send('A text is required');
        return;
    }
    if (context.item.text.length > 10) {
        const error = new Error('A text has ten characters at most');
        error.badRequest = true;
        throw error;
    }
    return context.execute();
});

table.update(async (context) => {
    if (context.item.rating !== undefined && (context.item.rating < 1 || context.item.rating > 5)) {
        const error = new Error('A rating is 1 to 5');
        error.status = 422;
        throw error;
    }
    if (context.item.text === 'json') {
        return context.res.status(409).json({ reason: 'taken', field: 'text' });
    }
    return context.execute();
});

table.delete((context) => Promise.reject(new Error('nobody is to see these words')));

module.exports = table;
