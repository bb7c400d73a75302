import { makeContext } from '../../fixtures/lambda-context.ts';
import { createRandom } from '../tools/random.ts';
import { currentInvocation, deliver, } from './instance.ts';
/** How often Lambda starts an instance even though another is idle. */
const usualSpareStartRate = 0.03;
/** A Lambda function: starts instances on demand and ends them at any time. */
export class LambdaFunction {
    #parts;
    #random;
    #instances = [];
    #code;
    #sequence = 0;
    #active = 0;
    constructor(parts) {
        this.#parts = parts;
        this.#code = parts.code;
        this.#random = createRandom(parts.seed, parts.role);
    }
    /** Whether no invocation is in flight and no instance is frozen. */
    get isAtRest() {
        const { nowMs } = this.#parts.time;
        return this.#active === 0 && this.#instances.every((one) => one.frozenUntilMs <= nowMs);
    }
    /** Passes an event to an instance. The outcome follows later, once. Returns the instance's name. */
    invoke(invocation, event, onOutcome) {
        const { timeoutMs, time, trace } = this.#parts;
        const instance = this.#findInstance();
        let isOver = false;
        const end = (outcome) => {
            if (isOver)
                return;
            isOver = true;
            cancelTimeout();
            instance.isBusy = false;
            this.#active -= 1;
            trace.note(() => `${instance.name}: ends with ${JSON.stringify(outcome)}`);
            onOutcome(outcome);
        };
        // A frozen instance may thaw after its timeout and continue, even though its caller has given up.
        const cancelTimeout = time.after(timeoutMs, () => {
            if (instance.frozenUntilMs <= time.nowMs)
                instance.dead = true;
            this.#drop(instance);
            end({ error: 'timeout' });
        });
        instance.isBusy = true;
        this.#active += 1;
        instance.onDeath = () => {
            this.#drop(instance);
            end({ error: 'crash' });
        };
        deliver(time, instance, () => currentInvocation.run(invocation, () => this.#run(instance, event, end)));
        return instance.name;
    }
    /** Later invocations get instances with this code. Those in flight end with the earlier one. */
    deploy(code) {
        this.#code = code;
        this.retireInstances();
    }
    /** Later invocations get new instances, because the earlier ones would be too old by now. */
    retireInstances() {
        this.#instances = [];
    }
    #run(instance, event, end) {
        const { time, faults, timeoutMs, clockOf } = this.#parts;
        const clock = clockOf(instance.name);
        const context = makeContext(timeoutMs, instance.name, () => clock.nowMs);
        const finish = (outcome) => {
            if (faults.mayCrash(instance, 'before the invocation answers'))
                return;
            end(outcome);
            faults.mayCrash(instance, 'after the invocation answers');
        };
        instance.handler
            .then((handler) => handler(event, context))
            .then((answer) => deliver(time, instance, () => finish({ answer })), (error) => deliver(time, instance, () => finish({ error: String(error) })));
    }
    #findInstance() {
        const { spareStartRate = usualSpareStartRate } = this.#parts;
        const idle = this.#instances.filter(({ isBusy }) => !isBusy);
        if (idle.length > 0 && !this.#random.chance(spareStartRate))
            return this.#random.pick(idle);
        return this.#startInstance();
    }
    #startInstance() {
        const { role, environment, seed, statistics, send, onLog, clockOf } = this.#parts;
        statistics.add('instances');
        const name = `${role}-${this.#sequence++}`;
        const state = { name, role, dead: false, frozenUntilMs: 0 };
        const instance = Object.assign(state, {
            isBusy: false,
            handler: this.#code.load(role, {
                instance: state,
                time: clockOf(name),
                environment,
                random: createRandom(seed, name),
                send: (request, options) => send(state, request, options),
                onLog: (line) => onLog(state, line),
            }),
        });
        this.#instances.push(instance);
        return instance;
    }
    #drop(instance) {
        this.#instances = this.#instances.filter((other) => other !== instance);
    }
}
