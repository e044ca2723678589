import OData

extension SystemColumn {
    /// Finds a system column by the name that it had in Azure Mobile Services: `__createdAt`, `__updatedAt`,
    /// `__version` and `__deleted`, in any case. Rows that come from there have these, and one that is deleted has to
    /// stay so.
    public init?(formerly name: some StringProtocol) {
        guard name.hasPrefix("__"), let column = SystemColumn(named: name.dropFirst(2)), column != .id else {
            return nil
        }
        self = column
    }

    /// Finds a system column by the name that it has in the store that Microsoft's library for iOS keeps on a device:
    /// `ms_createdAt`, `ms_updatedAt`, `ms_version` and `ms_deleted`, in any case.
    public init?(onDevices name: some StringProtocol) {
        guard name.prefix(3).lowercased() == "ms_", let column = SystemColumn(named: name.dropFirst(3)), column != .id
        else { return nil }
        self = column
    }
}

extension SystemColumn {
    /// The name in Azure Mobile Services: `__createdAt` for `createdAt`. The id has one name.
    public var nameInServices: String { self == .id ? rawValue : "__" + rawValue }
}

extension Field {
    /// The name in Azure Mobile Services (v1-20, v1-31).
    public var nameInServices: String {
        switch self {
        case .system(let column): column.nameInServices
        case .own(let column): OwnColumnName.nameInServices(of: column.name.text) ?? column.name.text
        }
    }
}
