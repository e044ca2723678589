// Rules that several tables have.
const isEmail = (text) => /^[^@\s]+@[^@\s]+\.[a-z]+$/.test(text || '');

exports.check = async (item) => {
    const faults = [];
    if (!isEmail(item.email)) faults.push('email');
    if (!/^\d{5}$/.test(item.zip || '')) faults.push('zip');
    if (faults.length === 0) return;
    const error = new Error('Wrong: ' + faults.join(', '));
    error.badRequest = true;
    throw error;
};
