// Rows belong to a company, which the token's user has or has not.
const table = require('azure-mobile-apps').table();
const MEMBERS = { 'sid:alice': 'north', 'sid:bob': 'south', 'sid:carol': 'north' };
table.columns = { text: 'string', company: 'string' };
table.access = 'authenticated';

table.use((req, res, next) => {
    req.company = MEMBERS[req.azureMobile.user.id];
    if (!req.company) return res.status(403).send('No company');
    next();
});
const own = (context) => {
    context.query.where({ company: context.req.company });
    return context.execute();
};
table.read(own);
table.delete(own);
table.update((context) => {
    delete context.item.company;
    return own(context);
});
table.insert((context) => {
    context.item.company = context.req.company;
    return context.execute();
});

module.exports = table;
