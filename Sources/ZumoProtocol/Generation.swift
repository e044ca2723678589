/// The protocol that a request speaks.
public enum Generation: String, Sendable, CaseIterable {
    /// Azure Mobile Services: system columns as `__version`, application keys, `{code, error}`.
    case v1
    /// Azure Mobile Apps: `ZUMO-API-VERSION: 2.0.0`.
    case v2
    /// Datasync: `ZUMO-API-VERSION: 3.0.0`, OData 4, `{items, count, nextLink}`.
    case v3
}
