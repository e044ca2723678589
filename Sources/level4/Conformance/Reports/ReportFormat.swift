/// How a report is written.
public enum ReportFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// For programs, with every request and answer.
    case json
    /// For CI systems.
    case junit

    /// The whole report.
    public func text(of report: ConformanceReport) -> String {
        switch self {
        case .text: TextReport.text(of: report)
        case .json: JSONReport.text(of: report)
        case .junit: JUnitReport.text(of: report)
        }
    }
}
