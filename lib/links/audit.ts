import { logger } from '../telemetry/powertools.ts';

interface AuditEntry {
  action:
    | 'created'
    | 'deleted'
    | 'disabled'
    | 'edited'
    | 'enabled'
    | 'imported'
    | 'listed'
    | 'read'
    | 'restored';
  /** The user's id, which is the token's `sub`. Never a name or an e-mail address. */
  sub: string;
  /** One link, or those of a list. */
  code?: string;
  codes?: string[];
}

/** Logs what a user did with links. Call it after the action has succeeded. */
export function auditLinks(entry: AuditEntry): void {
  logger.info('link audit', { ...entry });
}

/** Logs what a user did with an API key. Requests with a key have its id in all their log lines. */
export function auditKey(entry: { action: 'created' | 'revoked'; sub: string; id: string }): void {
  logger.info('key audit', entry);
}
