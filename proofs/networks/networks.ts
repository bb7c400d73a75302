import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse';
import { print, printLine } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import {
  hostingCompanies,
  hostingNetworks,
  hostingWords,
  mailScanners,
  minAddresses,
  networksOfPeople,
} from './review.ts';

/** RouteViews, NRO and DB-IP, under CC BY 4.0. Its 64 MB aren't worth an installation. */
const collection = '@ip-location-db/asn@2.3.2026061719';

/** An autonomous system. */
interface Network {
  number: number;
  /** Its organisation. */
  name: string;
  /** The number of its IPv4 addresses. */
  addresses: number;
}

const description =
  `Build the list of hosting networks from ${collection}, with the rules in review.ts. Prints each ` +
  'network, for the review by hand.';

await runProgram(
  createProgram('networks', description, 'proofs')
    .option('--write', 'write lib/clicks/hosting-networks.ts')
    .action(({ write }: { write?: boolean }) => listHosting(write)),
);

async function listHosting(write = false): Promise<void> {
  const networks = await readNetworks();
  const hosting = networks.filter(isHosting).sort((a, b) => b.addresses - a.addresses);
  for (const { number, name, addresses } of hosting) {
    print(`${`${number}`.padStart(7)} ${`${addresses}`.padStart(10)} ${name}\n`);
  }
  printLine(`${hosting.length} of ${networks.length} networks are hosting.`);
  if (write) await writeList(hosting);
}

function isHosting({ number, name, addresses }: Network): boolean {
  if (number in hostingNetworks || beginsWithOneOf(name, mailScanners)) return true;
  if (addresses < minAddresses) return false;
  if (networksOfPeople.some((people) => people.name.test(name))) return false;
  return hostingWords.some((word) => word.test(name)) || beginsWithOneOf(name, hostingCompanies);
}

function beginsWithOneOf(name: string, beginnings: readonly string[]): boolean {
  const lowerCase = name.toLowerCase();
  return beginnings.some((beginning) => lowerCase.startsWith(beginning));
}

async function readNetworks(): Promise<Network[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'networks-'));
  try {
    const pack = ['pack', collection, '--silent', '--pack-destination', dir];
    const archive = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
    execFileSync('tar', ['xzf', archive], { cwd: dir });
    const networks = new Map<number, Network>();
    const ranges = createReadStream(path.join(dir, 'package', 'asn-ipv4-num.csv')).pipe(parse());
    for await (const [from, to, asn, name] of ranges) {
      const number = Number(asn);
      const addresses = networks.get(number)?.addresses ?? 0;
      networks.set(number, { number, name, addresses: addresses + Number(to) - Number(from) + 1 });
    }
    return [...networks.values()];
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function writeList(hosting: readonly Network[]): Promise<void> {
  const numbers = hosting.map(({ number }) => number).sort((a, b) => a - b);
  const lines = numbers.join(' ').replace(/(.{1,94})(?: |$)/g, '  $1\n');
  const text = `/**
 * The autonomous systems of companies that rent servers, with at least ${minAddresses} addresses, and of
 * those that scan mail.
 * \`npm --prefix proofs run networks -- --write\` wrote this on ${new Date().toISOString().slice(0, 10)} from
 * ${collection}: data of RouteViews, NRO and DB-IP, under CC BY 4.0.
 *
 * @see https://db-ip.com
 */
export const hostingNetworks = \`
${lines}\`;
`;
  await writeFile(path.join(projectDir, 'lib/clicks/hosting-networks.ts'), text);
}
