"""The page where the server has a public address and a browser on its own machine comes by another."""

from case import PageCase, on_one_store


@on_one_store
class PublicAddressTests(PageCase):
    settings = "publicUrl: https://api.example.com\n"

    def test_the_page_is_there_for_a_browser_on_the_machine(self):
        self.client.insert("TodoItem", id="one", text="here")
        self.open_rows()
        self.wait_for_texts(["here"])
        self.page.click("button", "Sign out")
        self.page.find("textbox", "Master key")
