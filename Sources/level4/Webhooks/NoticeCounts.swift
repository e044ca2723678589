import MetricSeries

/// Counts what became of notices.
struct NoticeCounts: Sendable {
    let sent: Counter
    let lost: Counter
    /// Failed attempts, of which a notice may have several.
    let failed: Counter

    init(_ metrics: MetricRegistry) {
        sent = metrics.counter("zumod_webhook_notices_sent_total")
        lost = metrics.counter("zumod_webhook_notices_lost_total")
        failed = metrics.counter("zumod_webhook_attempts_failed_total")
    }
}
