// Writes the newest release's notes into notes.md, and prints its version.
import { readFileSync, writeFileSync } from 'node:fs';
import { readRelease } from './release.ts';

const { version, notes } = readRelease(readFileSync('CHANGELOG.md', 'utf8'));
writeFileSync('notes.md', notes);
console.log(version);
