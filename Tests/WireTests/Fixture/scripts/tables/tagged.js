// Only the owner's devices are told, by a tag, and the answer waits for it.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', told: 'boolean' };
table.access = 'authenticated';

table.insert(async (context) => {
    const tag = '_UserId:' + context.user.id;
    await context.push.apns.send([tag], { aps: { alert: context.item.text } });
    context.item.told = true;
    return context.execute();
});

module.exports = table;
