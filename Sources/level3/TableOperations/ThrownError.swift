import Foundation
import HTTPModel
import Tables

/// Descriptions, for the log, of what a program's handlers and hooks throw.
public enum ThrownError {
    /// Returns the error's own description if it has one; otherwise its name in code.
    public static func words(_ error: any Error) -> String {
        switch error {
        case let error as TableError: error.detail
        case let error as OperationError: words(error)
        case let error as RowsError: words(error)
        case let error as Refusal: "it was refused with \(error.status.rawValue): \(error.text)"
        case is CancellationError: "it was cancelled"
        case let error as DecodingError: words(error)
        case let error as any LocalizedError: error.errorDescription ?? "\(error)"
        // Foundation's own errors print as a dump of their members.
        case is any CustomNSError: error.localizedDescription
        default: type(of: error) is NSError.Type ? error.localizedDescription : "\(error)"
        }
    }

    private static func words(_ error: OperationError) -> String {
        switch error {
        case .table(let error): error.detail
        case .required(let message): message
        case .refused(let refusal): words(refusal)
        case .hook(let detail): detail
        case .scripts(let detail): "the scripts can't be run: \(detail)"
        }
    }

    private static func words(_ error: RowsError) -> String {
        switch error {
        case .noTable(let name): "there is no table \(name)"
        case .noRow: "there is no such row, or the caller may not see it"
        case .conflict: "the row has another version, or its id is taken"
        case .invalidID: "a row can't have this id"
        case .operation(let error): words(error)
        }
    }

    /// Returns the message for a script that answers where its answer can't be used.
    package static func words(_ answer: ScriptedAnswer) -> String {
        "the script answers \(answer.status?.rawValue ?? 200)"
    }

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "a text lacks the member \(key.stringValue)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "a text can't be read: \(context.debugDescription)"
        @unknown default: "a text can't be read"
        }
    }
}
