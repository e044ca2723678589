import Tables
import Webhooks

/// Notices that did not go out, in the log.
enum WebhookLog {
    static func write(_ event: WebhookEvent, to logger: Log) {
        switch event {
        case .postponed(let table, let reason):
            logger.notice(
                "a webhook failed and is tried again", members: ["table": "\(table)", "reason": "\(reason)"])
        case .givenUp(let table, let reason):
            logger.warning("a webhook's notice is lost", members: ["table": "\(table)", "reason": "\(reason)"])
        case .full(let table):
            logger.warning(
                "notices of a webhook are lost", members: ["table": "\(table)", "reason": "too many wait already"])
        case .unsent(let table, let count):
            logger.warning(
                "webhook notices are lost, since the server stops",
                members: ["table": "\(table)", "count": "\(count)"]
            )
        }
    }
}
