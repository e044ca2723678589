/// The client libraries that were ever shipped, by generation.
public enum ClientKind: String, Sendable, CaseIterable, CustomStringConvertible {
    case ios2 = "iOS 2"
    case ios3 = "iOS 3"
    case android3 = "Android 3.5"
    case javascript2 = "JavaScript 2"
    case dotnet4 = ".NET 4"
    case datasync5 = "Datasync 5"
    case datasync6 = "Datasync 6"
    case toolkit = "Community Toolkit 9"

    /// The kinds whose generation the server speaks.
    public static let served: [ClientKind] = allCases

    /// The name for people.
    public var description: String { rawValue }

    /// How many pages a pull asks for that finds nothing new. Those that ask for rows at the token or later get its row
    /// again, and end with an empty page.
    public var idleRequests: Int {
        switch self {
        case .ios2, .ios3, .android3, .javascript2, .dotnet4: 2
        case .datasync5, .datasync6, .toolkit: 1
        }
    }

    /// Whether the pages are as long as the server likes.
    public var leavesPagesToServer: Bool {
        switch self {
        case .ios2, .ios3, .android3, .javascript2, .dotnet4: false
        case .datasync5, .datasync6, .toolkit: true
        }
    }

    func library(_ settings: PullSettings) -> any ClientLibrary {
        switch self {
        case .ios2:
            let properties = ["__createdAt", "__updatedAt", "__version"]
            return IOSLibrary(.mobileServices(applicationKey: "app-key", properties: properties), settings)
        case .ios3: return IOSLibrary(.mobileApps, settings)
        case .android3: return AndroidLibrary(settings)
        case .javascript2: return JavaScriptLibrary(settings)
        case .dotnet4: return DotNetLibrary(settings)
        case .datasync5: return DatasyncLibrary(.five, settings)
        case .datasync6: return DatasyncLibrary(.six, settings)
        case .toolkit: return ToolkitLibrary(settings)
        }
    }
}
