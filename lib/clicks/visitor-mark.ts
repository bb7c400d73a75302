import { createHmac, type KeyObject } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { maxAgentLength, type RequestHeaders } from './visit.ts';
import { toMark } from './visitor-sketch.ts';

/** What tells one visitor from another. It never leaves the function. */
export interface Visitor {
  address: string;
  agent: string;
}

/**
 * Who follows a link. CloudFront connects to the API itself and says where its viewer is; without it, that
 * header was removed. `X-Forwarded-For` is never read: its first addresses are the client's own text.
 */
export function readVisitor(headers: RequestHeaders, sourceIp: string): Visitor {
  const viewer = headers['cloudfront-viewer-address']?.replace(/:\d+$/, '').replace(/[[\]]/g, '');
  const agent = headers['user-agent']?.slice(0, maxAgentLength) ?? '';
  return { address: networkOf(viewer ?? sourceIp), agent: withoutVersions(agent) };
}

/** The visitor's mark, which one in 61,440 others has too (docs/visitors.md). */
export function markVisitor(key: KeyObject, { address, agent }: Visitor): number {
  return toMark(createHmac('sha256', key).update(`${address} ${agent}`).digest());
}

/** Browsers update every few weeks, and a visitor must not become another one by that. */
function withoutVersions(agent: string): string {
  return agent.replace(/(?<=\/|rv:)\d[\d.]*/g, '');
}

const groupsInNetwork = 4;
const groupsInAddress = 8;

/**
 * An IPv4 address, also one that's written as `::ffff:192.0.2.1`, or the /64 of an IPv6 address: a device
 * changes the rest every day.
 */
function networkOf(written: string): string {
  const address = written.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(address)) return address;
  const [head = [], tail] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = tail ? groupsInAddress - head.length - tail.length : 0;
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])];
  const network = groups.slice(0, groupsInNetwork).map((group) => Number.parseInt(group, 16));
  return network.map((group) => group.toString(16)).join(':');
}
