-- Subscriptions of a group are found by its account and id, as the foreign key has them.
DROP INDEX alert_subscriptions_group;
CREATE INDEX alert_subscriptions_group ON alert_subscriptions (account_id, group_id) WHERE group_id IS NOT NULL;
