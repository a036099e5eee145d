//! L-BFGS: minimising smooth functions by their gradients.
//!
//! Directions are those of the limited-memory BFGS method (Nocedal, 1980), steps those of the line search by bisection
//! of Lewis and Overton (2013).

use std::collections::VecDeque;

/// A place with the value of a function and its gradient there.
#[derive(Clone, Debug)]
pub struct Point {
    /// The arguments.
    pub place: Vec<f64>,
    /// The value.
    pub value: f64,
    /// Derivatives by the arguments.
    pub gradient: Vec<f64>,
}

impl Point {
    /// Length of the gradient.
    #[must_use]
    pub fn steepness(&self) -> f64 {
        dot(&self.gradient, &self.gradient).sqrt()
    }

    /// The place at a part of a direction.
    fn towards(&self, direction: &[f64], part: f64) -> Vec<f64> {
        self.place.iter().zip(direction).map(|(x, d)| x + part * d).collect()
    }
}

/// How to go down, and when to stop.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Length of the gradient at which the end is reached.
    pub tolerance: f64,
    /// Iterations at most.
    pub iterations: usize,
    /// Length of the first step, which goes down the gradient; as long as the gradient if missing.
    pub first_step: Option<f64>,
    /// Rounding error of a value, as a part of it. Within that only gradients tell places apart.
    pub noise: f64,
}

/// Steps that are remembered.
const MEMORY: usize = 12;
/// Places looked at for a step.
const TRIALS: usize = 40;
/// Part of the fall that the slope promises which a step must bring.
const SUFFICIENT_FALL: f64 = 1e-4;
/// Part of the slope that may be left at the end of a step.
const SLOPE_LEFT: f64 = 0.9;
/// Iterations without any gain after which nothing more is to be had.
const PATIENCE: usize = 3;

/// Goes down from `start`. Returns the start and the place after each iteration; the last is the best but for rounding.
pub fn minimize(mut function: impl FnMut(&[f64]) -> (f64, Vec<f64>), start: &[f64], rules: Rules) -> Vec<Point> {
    let mut evaluate = |place: Vec<f64>| {
        let (value, gradient) = function(&place);
        Point { place, value, gradient }
    };
    let mut points = vec![evaluate(start.to_vec())];
    let mut memory = Memory::default();
    let mut least = points[0].steepness();
    let mut idle = 0;
    while points.len() <= rules.iterations && idle < PATIENCE {
        let here = &points[points.len() - 1];
        let steepness = here.steepness();
        if steepness <= rules.tolerance || steepness.is_nan() {
            break;
        }
        let direction = memory.direction(here, rules.first_step.map_or(1.0, |length| length / steepness));
        let noise = rules.noise * here.value.abs();
        let Some(next) = step(here, &direction, noise, &mut evaluate) else {
            // Down the gradient, before giving up.
            if memory.steps.is_empty() {
                break;
            }
            memory = Memory::default();
            continue;
        };
        memory.add(here, &next);
        let gains = here.value - next.value > noise || next.steepness() < least;
        idle = if gains { 0 } else { idle + 1 };
        least = least.min(next.steepness());
        points.push(next);
    }
    points
}

/// A place in a direction where the value has fallen enough and the slope has flattened enough; the lowest that was seen if
/// there is none such, `None` if none is lower.
fn step(here: &Point, direction: &[f64], noise: f64, evaluate: &mut impl FnMut(Vec<f64>) -> Point) -> Option<Point> {
    let slope = dot(&here.gradient, direction);
    let (mut near, mut far, mut part) = (0.0, f64::INFINITY, 1.0);
    let mut lowest: Option<Point> = None;
    for _ in 0..TRIALS {
        let next = evaluate(here.towards(direction, part));
        // False, too, for a value that is no number.
        let falls = next.value <= here.value + SUFFICIENT_FALL * part * slope + noise;
        if !falls {
            far = part;
        } else if dot(&next.gradient, direction) < SLOPE_LEFT * slope {
            near = part;
        } else {
            return Some(next);
        }
        if next.value < lowest.as_ref().map_or(here.value, |lowest| lowest.value) {
            lowest = Some(next);
        }
        part = if far.is_finite() { (near + far) / 2.0 } else { 2.0 * near };
    }
    lowest
}

/// What the last steps tell of the curvature.
#[derive(Default)]
struct Memory {
    /// Steps with how they changed the gradient, the latest last.
    steps: VecDeque<(Vec<f64>, Vec<f64>)>,
}

impl Memory {
    fn add(&mut self, here: &Point, next: &Point) {
        let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>();
        let (step, change) = (less(&next.place, &here.place), less(&next.gradient, &here.gradient));
        if dot(&step, &change) > 0.0 {
            if self.steps.len() == MEMORY {
                self.steps.pop_front();
            }
            self.steps.push_back((step, change));
        }
    }

    /// The direction of the next step: minus the gradient times the approximate inverse Hessian, which is `scale` times
    /// the identity before the first step.
    fn direction(&self, here: &Point, scale: f64) -> Vec<f64> {
        let mut direction: Vec<f64> = here.gradient.iter().map(|slope| -slope).collect();
        let mut parts = Vec::with_capacity(self.steps.len());
        for (step, change) in self.steps.iter().rev() {
            let part = dot(step, &direction) / dot(step, change);
            direction.iter_mut().zip(change).for_each(|(d, y)| *d -= part * y);
            parts.push(part);
        }
        let scale = self.steps.back().map_or(scale, |(step, change)| dot(step, change) / dot(change, change));
        direction.iter_mut().for_each(|d| *d *= scale);
        for ((step, change), part) in self.steps.iter().zip(parts.iter().rev()) {
            let other = dot(change, &direction) / dot(step, change);
            direction.iter_mut().zip(step).for_each(|(d, s)| *d += (part - other) * s);
        }
        direction
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules { tolerance: 1e-10, iterations: 500, first_step: None, noise: 1e-14 };

    fn end(function: impl FnMut(&[f64]) -> (f64, Vec<f64>), start: &[f64], rules: Rules) -> Point {
        minimize(function, start, rules).pop().unwrap()
    }

    #[test]
    fn the_least_value_of_a_curved_valley_is_found() {
        let rosenbrock = |x: &[f64]| {
            let (u, v) = (1.0 - x[0], x[1] - x[0] * x[0]);
            (u * u + 100.0 * v * v, vec![-2.0 * u - 400.0 * x[0] * v, 200.0 * v])
        };
        for first_step in [None, Some(0.05)] {
            let end = end(rosenbrock, &[-1.2, 1.0], Rules { first_step, ..RULES });
            assert!(end.value < 1e-16 && (end.place[0] - 1.0).abs() < 1e-8, "{end:?}");
        }
    }

    #[test]
    fn a_round_bowl_takes_a_step() {
        let bowl = |x: &[f64]| (0.5 * dot(x, x) + 7e3, x.to_vec());
        let points = minimize(bowl, &[3.0, -4.0, 12.0], RULES);
        assert_eq!((points.len(), points[1].steepness()), (2, 0.0));
    }

    #[test]
    fn a_start_at_the_end_stays() {
        let points = minimize(|x| (x[0] * x[0], vec![2.0 * x[0]]), &[0.0], RULES);
        assert_eq!((points.len(), points[0].value), (1, 0.0));
    }

    #[test]
    fn steps_keep_off_where_there_is_no_value() {
        // ln of what is below zero is no number.
        let function = |x: &[f64]| (x[0] - x[0].ln(), vec![1.0 - 1.0 / x[0]]);
        let end = end(function, &[0.01], RULES);
        assert!((end.place[0] - 1.0).abs() < 1e-9, "{end:?}");
    }

    #[test]
    fn gradients_lead_on_where_rounding_hides_values() {
        let function = |x: &[f64]| {
            let value = 1e9 + x.iter().zip([1.0, 3.0, 0.4]).map(|(x, c)| c * x * x).sum::<f64>();
            (value, x.iter().zip([2.0, 6.0, 0.8]).map(|(x, c)| c * x).collect())
        };
        let end = end(function, &[1.0, 1.0, 1.0], Rules { noise: 1e-11, tolerance: 1e-9, ..RULES });
        assert!(end.steepness() < 1e-9, "{end:?}");
    }

    #[test]
    fn a_slope_without_end_is_left_in_time() {
        let points = minimize(|x| ((-x[0]).exp(), vec![-(-x[0]).exp()]), &[0.0], Rules { iterations: 30, ..RULES });
        assert!(points.len() <= 31 && points[points.len() - 1].value < 1e-6);
    }
}
