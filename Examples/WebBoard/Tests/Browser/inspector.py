"""The checks of the inspector's page: how it asks, and how it writes values."""

PAGE = """async () => {
  const { ask, valueText } = await import("/inspector/page.js")
  const fetch = window.fetch
  let address
  window.fetch = async path => { address = path; return new Response("{}") }
  await ask("reasons", { object: 'Airline("A+B & é")', list: "1" })
  window.fetch = fetch
  const values = [
    { bytes: "00ff", size: 2000000 }, { bytes: "00ff" }, { text: "long", size: 900 }, ["a", { integer: "9007199254740993" }], null,
  ]
  return { address, texts: values.map(valueText) }
}"""


def parts(checks, page):
    """What the parts of the inspector's page do, on any page of the server."""
    result = page.evaluate(PAGE)
    wanted = "reasons?object=Airline%28%22A%2BB%20%26%20%C3%A9%22%29&list=1"
    checks(result["address"] == wanted, "the inspector asks with percent signs only", result["address"])
    wanted = ["2,000,000 bytes 00ff…", "2 bytes 00ff", '"long…" (900 bytes)', '["a",9007199254740993]', "null"]
    checks(result["texts"] == wanted, "it shows the beginnings of long values with their sizes", result["texts"])
