import { logger } from '../telemetry/powertools.ts';

interface AuditEntry {
  action: 'created' | 'disabled' | 'enabled' | 'listed' | 'read' | 'tried';
  /** The user's id, the `sub` of the token: never a name or an e-mail address. */
  sub: string;
  /** One link, or those of a list. */
  code?: string;
  codes?: string[];
}

/** Logs what a user did with which links; call it once it is done. */
export function auditLinks(entry: AuditEntry): void {
  logger.info('link audit', { ...entry });
}
