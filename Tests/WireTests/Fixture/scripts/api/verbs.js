// One function for each verb.
exports.get = (req, res) => res.status(200).send('hello ' + (req.query.name || 'you'));
exports.post = (req, res) => res.status(201).json({ method: req.method, body: req.body });
exports.put = (req, res) => res.sendStatus(204);
exports.patch = async (req, res) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    res.set({ 'X-One': '1', 'X-Two': 'two' }).json([req.get('x-asked') || null]);
};
exports.delete = (req, res) => { throw new Error('nobody is to see these words'); };
