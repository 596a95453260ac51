-- Which channels know of a trouble of the installation is asked while it lasts.
CREATE INDEX alert_notifications_system ON alert_notifications (alert_id) WHERE check_id IS NULL;
