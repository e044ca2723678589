// Paths below the API's name, by a router of Express.
var express = require('express');
var bodyParser = require('body-parser');
var router = express.Router();

router.use(bodyParser.json());
router.use(function (req, res, next) {
    res.set('X-Routed', req.method);
    next();
});
router.get('/', function (req, res) { res.json({ at: 'the root', more: req.query }); });
router.get('/items/:id', function (req, res) {
    if (req.params.id === 'none') return res.status(404).json({ error: 'no such item' });
    res.json({ id: req.params.id });
});
router.post('/items', function (req, res) { res.status(201).location('/api/routed/items/7').json({ got: req.body.name }); });
router.route('/both').get(function (req, res) { res.send('one'); }).put(function (req, res) { res.send('two'); });
router.get('/breaks', function (req, res) { throw new Error('inside'); });
router.use(function (error, req, res, next) { res.status(500).json({ caught: error.message }); });

module.exports = router;
