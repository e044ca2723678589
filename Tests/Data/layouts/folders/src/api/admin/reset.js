module.exports = {
    access: 'authenticated',
    post: async (req, res) => {
        await req.azureMobile.tables('orders').insert({ id: 'r', article: 'reset', count: 0 });
        res.status(201).json({ by: req.azureMobile.user.id });
    },
    get: { 0: (req, res) => res.json({ open: true }), authorize: false }
};
