"""Documents of scripts at the page's own address, which repeat what a link tells them to."""

import urllib.parse

from case import PageCase, on_one_store

REPEATS = "exports.get = function (req, res) { res.send('<p>' + req.query.n + '</p>'); };"
TAKES = """<script>
(async () => {
  const said = [];
  for (const path of ['/_/api/session', '/_/api/rows/TodoItem', '/_/tables/TodoItem.json', '/_/']) {
    try {
      const answer = await fetch(path, {credentials: 'include'});
      said.push(answer.status + await answer.text());
    } catch (error) { said.push('nothing'); }
  }
  const frame = document.createElement('iframe');
  frame.src = '/_/tables/TodoItem';
  frame.onload = () => {
    try { said.push(frame.contentDocument.body.innerText); } catch (error) { said.push('nothing'); }
    try { said.push(document.cookie); } catch (error) { said.push('nothing'); }
    try { said.push(JSON.stringify(sessionStorage)); } catch (error) { said.push('nothing'); }
    document.querySelector('p').dataset.taken = JSON.stringify(said);
  };
  document.body.append(frame);
})();
</script>"""


class TakeoverTests(PageCase):
    apis = {"x": REPEATS}
    expected_statuses = (401, 403)

    def is_expected(self, entry):
        # The browser says that it kept the document from what it asked for.
        return entry["source"] in ("security", "javascript", "network") or super().is_expected(entry)

    @on_one_store
    def test_a_document_of_a_script_gets_nothing_of_the_page_that_is_signed_in(self):
        self.client.insert("TodoItem", id="one", text="the operator's own")
        self.open_rows()
        self.page.open("/api/x?n=" + urllib.parse.quote("taking" + TAKES))
        self.wait(lambda: self.driver.run("return document.querySelector('p').dataset.taken"), "the document's script")
        taken = self.driver.run("return document.querySelector('p').dataset.taken")
        self.assertEqual(taken.count('"nothing"'), 7, taken)
        self.assertNotIn("the operator", taken)
