//! AdamW: Adam with decay of the weights apart from the gradient (Loshchilov and Hutter, 2019).

/// The optimiser's memory of the gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamW {
    /// Running means of the gradients.
    pub first: Vec<f32>,
    /// Running means of their squares.
    pub second: Vec<f32>,
    /// Steps taken.
    pub steps: u64,
}

/// Shares that the running means keep at each step.
const BETAS: [f32; 2] = [0.9, 0.999];
/// Added to the root of the second mean.
const EPSILON: f32 = 1e-8;

impl AdamW {
    /// Nothing is known of so many parameters' gradients.
    pub fn new(parameters: usize) -> AdamW {
        AdamW { first: vec![0.0; parameters], second: vec![0.0; parameters], steps: 0 }
    }

    /// A step against the gradient.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let [first_rest, second_rest] = BETAS.map(|beta| 1.0 - f64::from(beta).powi(self.steps.min(1 << 30) as i32));
        let (scale, root) = (rate / first_rest as f32, (1.0 / second_rest.sqrt()) as f32);
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((parameter, &slope), (first, second)) in parameters.iter_mut().zip(gradient).zip(moments) {
            *first = BETAS[0] * *first + (1.0 - BETAS[0]) * slope;
            *second = BETAS[1] * *second + (1.0 - BETAS[1]) * slope * slope;
            *parameter -= scale * *first / (second.sqrt() * root + EPSILON) + rate * decay * *parameter;
        }
    }
}

/// The rate at a share of the whole training from 0 to 1: it rises for a short time, then falls to nothing as a cosine does.
pub fn rate(largest: f64, done: f64) -> f32 {
    const WARM_UP: f64 = 0.02;
    let rise = (done / WARM_UP).min(1.0);
    let fall = (1.0 + (std::f64::consts::PI * ((done - WARM_UP) / (1.0 - WARM_UP)).clamp(0.0, 1.0)).cos()) / 2.0;
    (largest * rise * fall) as f32
}
