import HTTPModel
import Tables
import ZumoProtocol

extension PublicAddress {
    /// Returns the address of a row.
    func location(of id: String, in table: Table) -> String {
        var bytes = Array("\(base)/tables/\(table.name.text)/".utf8)
        PercentEncoding.encode(id, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
