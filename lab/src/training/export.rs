//! From floating point to the engine's file, and back.

use super::model::Model;
use anyhow::{Result, bail};
use halfpoint::eval::network::{ACTIVATION_ONE, BUCKETS, MAX_SHIFT, Network, NetworkError, NetworkParts, OutputBucket};
use halfpoint::wdl::model::{C, DRAW_UNITS, WILO_UNITS};

/// The network as the engine has it, with the finest output weights that cannot overflow.
pub fn export<const UNITS: usize>(model: &Model<UNITS>) -> Result<Network> {
    if !model.parameters.iter().all(|parameter| parameter.is_finite()) {
        bail!("the training diverged: a weight is no number; a smaller --rate may help");
    }
    let mut shifts = [MAX_SHIFT; 2];
    loop {
        match quantized(model, shifts).map(Network::new) {
            Some(Ok(network)) => return Ok(network),
            Some(Err(NetworkError::OutputOverflow { output, .. })) => {
                let shift = &mut shifts[usize::from(output == "draw")];
                if *shift == 0 {
                    bail!("the {output} output can become too large for a network of this form");
                }
                *shift -= 1;
            }
            Some(Err(error)) => bail!("{error}"),
            None if shifts == [0; 2] => bail!("a weight is too large for a network of this form"),
            None => shifts = shifts.map(|shift| shift.saturating_sub(1)),
        }
    }
}

/// The network of a file in floating point.
pub fn import<const UNITS: usize>(network: &Network) -> Result<Model<UNITS>> {
    let parts = network.parts();
    if network.units() != UNITS {
        bail!("a network of {} units, --units {UNITS} is asked for", network.units());
    }
    let one = f32::from(ACTIVATION_ONE);
    let scaled = |scale: f64, shift: u8| (scale * f64::from(1u32 << shift)) as f32;
    let wilo_one = scaled(WILO_UNITS / C, parts.wilo_shift);
    let draw_one = scaled(DRAW_UNITS, parts.draw_shift);
    let mut parameters = Vec::with_capacity(Model::<UNITS>::COUNT);
    parameters.extend(parts.weights.iter().map(|&weight| f32::from(weight) / one));
    let mut take = |values: &[i16], one: f32| parameters.extend(values.iter().map(|&value| f32::from(value) / one));
    take(&parts.biases, one);
    for output in &parts.outputs {
        take(&output.wilo, wilo_one);
        take(&output.draw, draw_one);
    }
    parameters.extend(parts.outputs.iter().map(|output| output.draw_constant as f32 / (one * one * draw_one)));
    Ok(Model { parameters })
}

/// The rounded numbers; `None` if one does not fit.
fn quantized<const UNITS: usize>(model: &Model<UNITS>, shifts: [u8; 2]) -> Option<NetworkParts> {
    let units = |at: usize, scale: f64| rounded(&model.parameters[at..at + UNITS], scale);
    let one = f64::from(ACTIVATION_ONE);
    let [wilo_scale, draw_scale] = [WILO_UNITS / C, DRAW_UNITS];
    let [wilo_shift, draw_shift] = shifts;
    let scaled = |scale: f64, shift: u8| scale * f64::from(1u32 << shift);
    let mut outputs: [OutputBucket; BUCKETS] = Default::default();
    for (bucket, output) in outputs.iter_mut().enumerate() {
        let [wilo, draw] = Model::<UNITS>::output(bucket);
        let constant = f64::from(model.parameters[Model::<UNITS>::CONSTANTS + bucket]);
        let constant = (constant * scaled(draw_scale, draw_shift) * one * one).round() as i64;
        *output = OutputBucket {
            wilo: units(wilo, scaled(wilo_scale, wilo_shift))?,
            draw: units(draw, scaled(draw_scale, draw_shift))?,
            draw_constant: i32::try_from(constant).ok()?,
        };
    }
    let biases = units(Model::<UNITS>::BIASES, one)?;
    let weights = rounded(&model.parameters[..Model::<UNITS>::BIASES], one)?;
    Some(NetworkParts { wilo_shift, draw_shift, weights, biases, outputs })
}

/// Numbers in parts of `1 / scale`; `None` if one does not fit.
fn rounded<Integer: TryFrom<i64>>(values: &[f32], scale: f64) -> Option<Vec<Integer>> {
    values.iter().map(|&value| Integer::try_from((scale * f64::from(value)).round() as i64).ok()).collect()
}
