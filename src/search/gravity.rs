//! Statistics that stay within a limit: the more a value has moved one way, the less it moves on.

/// Adds `amount`, less the nearer the value is to its limit on that side. The limit is a power of two, and no amount is
/// larger.
#[inline]
pub fn update_with_gravity(slot: &mut i16, amount: i32, limit_log2: i32) {
    let value = i32::from(*slot);
    let pull = value * amount.abs();
    // Divided by the limit, rounded towards zero.
    let decay = (pull + (pull >> 31 & ((1 << limit_log2) - 1))) >> limit_log2;
    *slot = (value + amount - decay) as i16;
}

/// The same with any limit, which the compiler knows.
#[inline]
pub fn update_within<const LIMIT: i32>(slot: &mut i16, amount: i32) {
    let value = i32::from(*slot);
    *slot = (value + amount - value * amount.abs() / LIMIT) as i16;
}

/// A boxed array of zeros that never stood on the stack.
pub fn zeroed<T: Copy + Default, const N: usize, const M: usize>() -> Box<[[T; M]; N]> {
    vec![[T::default(); M]; N].try_into().unwrap_or_else(|_| unreachable!("the vector has N elements"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn statistics_stay_in_bounds(limit_log2 in 9..=14i32, bonuses in prop::collection::vec(-8192..=8192i32, 1..200)) {
            let limit = 1 << limit_log2;
            let mut slot = 0;
            for bonus in bonuses {
                let bonus = bonus.clamp(-limit, limit);
                let before = slot;
                update_with_gravity(&mut slot, bonus, limit_log2);
                prop_assert!(i32::from(slot).abs() <= limit);
                prop_assert_eq!(i32::from(slot), i32::from(before) + bonus - i32::from(before) * bonus.abs() / limit);
                prop_assert!(if bonus >= 0 { slot >= before } else { slot <= before }, "moves with the bonus");
            }
        }
    }
}
