-- The newest notification of a channel is found by its number: times do not say what came first.
CREATE INDEX alert_notifications_newest ON alert_notifications (channel_id, seq DESC);
