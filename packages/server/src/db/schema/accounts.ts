import type { AlertSettings } from '@vedette/wire'
import { bigint, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, timestamptz } from './column-types.ts'

export const installation = pgTable('installation', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
})

export const accounts = pgTable('accounts', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  alertSettings: jsonb('alert_settings').$type<AlertSettings>().notNull(),
  defaultLocations: text('default_locations').array().notNull(),
  createdAt: timestamptz('created_at').notNull(),
  updatedAt: timestamptz('updated_at'),
})

export const privateLocations = pgTable('private_locations', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id),
  slug: text('slug').notNull(),
  name: text('name').notNull(),
  createdAt: timestamptz('created_at').notNull(),
  deletedAt: timestamptz('deleted_at'),
})

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull(),
  name: text('name').notNull(),
  passwordHash: text('password_hash'),
  createdAt: timestamptz('created_at').notNull(),
})

export const memberships = pgTable(
  'memberships',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.userId] })],
)

export const apiKeys = pgTable('api_keys', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id),
  name: text('name').notNull(),
  role: text('role').notNull(),
  hash: bytea('hash').notNull(),
  masked: text('masked').notNull(),
  createdAt: timestamptz('created_at').notNull(),
  revokedAt: timestamptz('revoked_at'),
})

export const webSessions = pgTable('web_sessions', {
  hash: bytea('hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id),
  createdAt: timestamptz('created_at').notNull(),
  expiresAt: timestamptz('expires_at').notNull(),
  revokedAt: timestamptz('revoked_at'),
  userAgent: text('user_agent'),
})

export const signInLinks = pgTable('sign_in_links', {
  hash: bytea('hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id),
  accountId: uuid('account_id')
    .notNull()
    .references(() => accounts.id),
  createdAt: timestamptz('created_at').notNull(),
  expiresAt: timestamptz('expires_at').notNull(),
  usedAt: timestamptz('used_at'),
})

export const auditLog = pgTable('audit_log', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  accountId: uuid('account_id'),
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  resource: text('resource').notNull(),
  resourceId: text('resource_id').notNull(),
  requestId: text('request_id').notNull(),
  at: timestamptz('at').notNull(),
})
