public import Access
import ByteText
public import HTTPModel

/// What is known of a request that a program's own application passes on.
public final class ApplicationPassage: RequestPassage {
    /// The application's call.
    public let call: any Sendable
    fileprivate let caller: Principal?
    fileprivate let checked: HTTPFields?

    /// - Parameters:
    ///   - caller: the caller, if the application has identified it in its own way.
    ///   - checked: the fields whose keys were already checked, so that they are no second guess; nil if they were not.
    public init(call: any Sendable, caller: Principal?, checked: HTTPFields?) {
        (self.call, self.caller, self.checked) = (call, caller, checked)
    }
}

extension HTTPRequest {
    /// The caller whom an application has identified, whatever the credentials; nil if none has.
    var identified: Principal? { (passage as? ApplicationPassage)?.caller }

    /// Returns whether the key in a field has not been checked yet.
    func hasNewKey(in field: StaticString) -> Bool {
        guard let checked = (passage as? ApplicationPassage)?.checked?[field] else { return true }
        return fields[field]?.isExactly(checked) != true
    }
}
