// Who has the role may write, and everybody sees what is public.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', open: 'boolean' };

const isAdmin = (context) => Boolean(context.user) && context.user.claims.role === 'admin';
const onlyAdmins = (context) => {
    if (!isAdmin(context)) {
        const error = new Error('Admins only');
        error.unauthorized = true;
        throw error;
    }
    return context.execute();
};

table.insert(onlyAdmins);
table.update(onlyAdmins);
table.delete(onlyAdmins);
table.read((context) => {
    if (!isAdmin(context)) context.query.where({ open: true });
    return context.execute();
});

module.exports = table;
