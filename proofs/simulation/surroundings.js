import { createRandom } from '../tools/random.ts';
import { Faults } from './faults.ts';
import { Statistics } from './statistics.ts';
import { VirtualTime } from './virtual-time.ts';
/** The shared parts of a world: its plan, versions, time, faults and random numbers. */
export class Surroundings {
    plan;
    versions;
    time;
    trace;
    statistics = new Statistics();
    faults;
    constructor(plan, versions, write) {
        this.plan = plan;
        this.versions = versions;
        this.time = new VirtualTime(plan.startMs);
        this.trace = {
            note: (text) => write?.(`${new Date(this.time.nowMs).toISOString()} ${text()}`),
        };
        this.faults = new Faults(this);
    }
    now = () => this.time.nowMs;
    /** A separate stream of random numbers for each name. */
    random = (name) => createRandom(this.plan.seed, name);
}
