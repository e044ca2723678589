import Logging
import Tables
import Webhooks

/// Notices that did not go out, in the log.
enum WebhookLog {
    static func write(_ event: WebhookEvent, to logger: Logger) {
        switch event {
        case .postponed(let table, let reason):
            logger.notice(
                "a webhook failed and is tried again", metadata: ["table": "\(table)", "reason": "\(reason)"])
        case .givenUp(let table, let reason):
            logger.warning("a webhook's notice is lost", metadata: ["table": "\(table)", "reason": "\(reason)"])
        case .full(let table):
            logger.warning(
                "notices of a webhook are lost", metadata: ["table": "\(table)", "reason": "too many wait already"])
        case .unsent(let table, let count):
            logger.warning(
                "webhook notices are lost, since the server stops",
                metadata: ["table": "\(table)", "count": "\(count)"]
            )
        }
    }
}
