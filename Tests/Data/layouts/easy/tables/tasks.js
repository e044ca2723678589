var table = module.exports = require('azure-mobile-apps').table();

table.insert(function (context) {
    context.item.owner = context.user.id;
    return context.execute();
});
function own(context) {
    context.query.where({ owner: context.user.id });
    return context.execute();
}
table.read(own);
table.update(own);
table.delete(own);
