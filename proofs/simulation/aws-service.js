/** An error in AWS JSON. */
export function serviceError(status, name, message, more = {}) {
    return { status, body: JSON.stringify({ __type: name, message, ...more }) };
}
